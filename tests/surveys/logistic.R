# Logistic regression of a randomized yes in base R, written apart from the library: reads the
# design's two rows, then a line for each person: the response (from 0) and the columns.
arguments <- commandArgs(trailingOnly = TRUE)
lines <- strsplit(readLines(file("stdin")), " ")
rows <- as.integer(arguments[1])
design <- do.call(rbind, lapply(lines[seq_len(rows)], as.numeric))
data <- do.call(rbind, lapply(lines[-seq_len(rows)], as.numeric))
sent <- data[, 1] + 1
X <- data[, -1, drop = FALSE]
no <- design[1, sent]
yes <- design[2, sent]

scale <- apply(abs(X), 2, max)
Z <- sweep(X, 2, scale, "/")
minus <- function(b) {
  mu <- plogis(drop(Z %*% b))
  -sum(log(no * (1 - mu) + yes * mu))
}
slope <- function(b) {
  mu <- plogis(drop(Z %*% b))
  p <- no * (1 - mu) + yes * mu
  -drop(crossprod(Z, (yes - no) * mu * (1 - mu) / p))
}
search <- function(start, f, g) {
  for (again in 1:4) {
    start <- optim(start, f, g, method = "BFGS",
                   control = list(reltol = 1e-15, maxit = 1000))$par
  }
  start
}
b <- search(rep(0, ncol(Z)), minus, slope)
errors <- sqrt(diag(solve(optimHess(b, minus, slope))))

drop <- qchisq(as.numeric(arguments[2]), 1) / 2
fall <- function(at, j) {
  if (length(b) == 1) return(minus(at) - minus(b) - drop)
  whole <- function(other) {
    full <- b
    full[j] <- at
    full[-j] <- other
    full
  }
  other <- search(b[-j], function(o) minus(whole(o)), function(o) slope(whole(o))[-j])
  minus(whole(other)) - minus(b) - drop
}
end <- function(j, sign) {
  far <- b[j] + sign * 5 * errors[j]
  uniroot(fall, sort(c(b[j], far)), j = j, tol = 1e-9)$root
}
low <- sapply(seq_along(b), end, sign = -1)
high <- sapply(seq_along(b), end, sign = 1)
text <- function(v) paste0("[", paste(sprintf("%.12g", v), collapse = ","), "]")
cat(sprintf('{"coefficients":%s,"errors":%s,"low":%s,"high":%s,"log_likelihood":%.12g}\n',
            text(b / scale), text(errors / scale), text(low / scale), text(high / scale),
            -minus(b)))
