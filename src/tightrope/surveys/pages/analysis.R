# The shares of the true answers behind randomized ones, in base R.
#
#   Rscript analysis.R          in this folder
#
# answers.csv    the randomized answers: a row for each respondent, in no order
# codebook.csv   every variable: its question, the true answers and the responses
# design.csv     the probability of each response, given each true answer
# estimates.csv  what the program that wrote this folder estimated
#
# The shares are estimated here from the first three files alone, then compared with the last.
# Where a second question randomizes, its prevalence may be an interval: estimates are those at its
# middle, and the intervals hold for all of it.
# A response is not the answer: do not treat "prefer not to say" as a missing value, it was
# randomized, too. For estimates of your own take estimate(), or the matrix that design_of() returns.

read_table <- function(name) {
  read.csv(name, colClasses = "character", na.strings = character(0), check.names = FALSE,
           encoding = "UTF-8", quote = "\"", comment.char = "")
}

labels_of <- function(codebook, variable, role) {
  part <- codebook[codebook$variable == variable & codebook$role == role, ]
  part$label[order(as.integer(part$code))]
}

# A row for each true answer, a column for each response.
design_of <- function(design, variable, at = "middle") {
  part <- design[design$variable == variable & design$at == at, ]
  x <- as.integer(part$answer)
  z <- as.integer(part$response)
  P <- matrix(0, max(x), max(z))
  P[cbind(x, z)] <- as.numeric(part$probability)
  P
}

# The shares at which the estimates vary least: those that the design was made for, or equal ones.
expected_of <- function(design, variable) {
  part <- design[design$variable == variable & design$at == "middle" & design$response == "1", ]
  as.numeric(part$expected[order(as.integer(part$answer))])
}

# B with P B = I: the inverse, or with more responses than answers weighted least squares.
inverse_of <- function(P, expected = rep(1, nrow(P))) {
  if (nrow(P) == ncol(P)) return(solve(P))
  lifted <- sweep(P, 2, as.vector(expected %*% P), "/")
  t(solve(P %*% t(lifted), lifted))
}

# The proportions that make these frequencies likeliest, by expectation and maximization.
most_likely <- function(f, P, unbiased) {
  if (nrow(P) == ncol(P) && all(unbiased >= 0)) return(unbiased)
  law <- rep(1 / nrow(P), nrow(P))
  for (step in 1:200000) {
    expected <- as.vector(law %*% P)
    moved <- law * as.vector(P %*% ifelse(f > 0, f / expected, 0))
    if (max(abs(moved - law)) < 1e-15) break
    law <- moved
  }
  law
}

# The chance that a respondent is counted for answer v, with it and without it; NULL if responses
# count for more than two values.
chances_of <- function(P, B, v) {
  counted <- B[, v] > (min(B[, v]) + max(B[, v])) / 2
  near <- ifelse(counted, max(B[, v]), min(B[, v]))
  if (any(abs(B[, v] - near) > 1e-9 * diff(range(B[, v])))) return(NULL)
  chance <- rowSums(P[, counted, drop = FALSE])
  if (diff(range(chance[-v])) > 1e-9) return(NULL)
  c(chance[v], chance[-v][1])
}

exact_population <- function(count, n, chance, rest) {
  low <- if (count > 0) qbeta(rest, count, n - count + 1) else 0
  high <- if (count < n) qbeta(rest, count + 1, n - count, lower.tail = FALSE) else 1
  (c(low, high) - chance[2]) / (chance[1] - chance[2])
}

# m of the n respondents have the answer: the count is a sum of two binomial numbers.
exact_respondents <- function(count, n, chance, rest) {
  m <- 0:n
  at_least <- sapply(m, function(m) sum(dbinom(0:m, m, chance[1]) *
    pbinom(count - 0:m - 1, n - m, chance[2], lower.tail = FALSE)))
  at_most <- sapply(m, function(m) sum(dbinom(0:m, m, chance[1]) *
    pbinom(count - 0:m, n - m, chance[2])))
  low <- if (any(at_least > rest)) min(m[at_least > rest]) else n
  high <- if (any(at_most > rest)) max(m[at_most > rest]) else 0
  c(low, high) / n
}

# Where the estimate, moved by half a step, is as far from t as its standard error there allows.
score <- function(estimate, half, own, rest, square, sampling) {
  slope <- square * (own - rest - (!sampling))
  bend <- 1 + square * sampling
  end <- function(sign) {
    shifted <- estimate + sign * half
    root <- max((shifted + slope / 2)^2 - bend * (shifted^2 - square * rest), 0)
    (shifted + slope / 2 + sign * sqrt(root)) / bend
  }
  edge <- min(max(estimate, 0), 1)
  c(min(end(-1), edge), max(end(1), edge))
}

# Shares of the true answers from the number of each response.
estimate <- function(counts, P, confidence = 0.95, interval = "score", sampling = TRUE,
                     expected = rep(1, nrow(P))) {
  n <- sum(counts)
  f <- counts / n
  B <- inverse_of(P, expected)
  unbiased <- as.vector(f %*% B)
  law <- most_likely(f, P, unbiased)
  S <- P %*% B^2
  own <- diag(S)
  others <- as.vector(law %*% S) - law * own
  error <- sqrt(pmax(law * own + others - (if (sampling) law^2 else law), 0) / n)
  z <- qnorm((1 + confidence) / 2)
  given <- colSums(P) > 0
  ends <- sapply(seq_along(unbiased), function(v) {
    observed <- sum(unbiased * S[, v]) - law[v] * own[v]
    rest <- mean(S[-v, v])
    if (law[v] < 1) rest <- min(max(others[v], observed) / (1 - law[v]), max(S[-v, v]))
    switch(interval,
      normal = unbiased[v] + c(-1, 1) * z * error[v],
      chebyshev = {
        most <- max(S[-v, v])
        t <- min(max((own[v] - most) / 2, 0), 1)
        widest <- if (sampling) t * own[v] + (1 - t) * most - t^2 else max(most, own[v] - 1)
        unbiased[v] + c(-1, 1) * sqrt(widest / n / (1 - confidence))
      },
      exact = {
        chance <- chances_of(P, B, v)
        count <- round(n * (chance[2] + (chance[1] - chance[2]) * unbiased[v]))
        ends <- if (sampling) exact_population else exact_respondents
        ends(count, n, chance, (1 - confidence) / 2)
      },
      score = score(unbiased[v], diff(range(B[given, v])) / (2 * n), own[v], rest, z^2 / n,
                    sampling))
  })
  data.frame(estimate = unbiased, error = error, low = pmin(pmax(ends[1, ], 0), 1),
             high = pmin(pmax(ends[2, ], 0), 1), most_likely = law)
}

answers <- read_table("answers.csv")
codebook <- read_table("codebook.csv")
design <- read_table("design.csv")
stated <- read_table("estimates.csv")

place <- paste(stated$variable, stated$scope, stated$group, sep = "\r")
measures <- c("estimate", "error", "low", "high", "most_likely")
largest <- 0
for (rows in split(seq_along(place), factor(place, unique(place)))) {
  first <- stated[rows[1], ]
  responses <- labels_of(codebook, first$variable, "response")
  given <- answers[[first$variable]]
  if (first$scope == "group") given <- given[answers$group == first$group]
  codes <- match(given, responses)
  if (anyNA(codes)) stop("answers.csv holds a response that is not in codebook.csv")
  counts <- tabulate(codes, length(responses))
  estimate_at <- function(at) {
    estimate(counts, design_of(design, first$variable, at), as.numeric(first$confidence),
             first$interval, first$sampling == "yes", expected_of(design, first$variable))
  }
  shares <- estimate_at("middle")
  if ("low" %in% design$at[design$variable == first$variable]) {
    ends <- lapply(c("low", "high"), estimate_at)
    shares$low <- pmin(ends[[1]]$low, ends[[2]]$low)
    shares$high <- pmax(ends[[1]]$high, ends[[2]]$high)
  }
  before <- sapply(measures, function(name) as.numeric(stated[rows, name]))
  largest <- max(largest, abs(as.matrix(shares) - before))
  cat("\n", first$variable, if (first$scope == "group") paste(" in", first$group), ", ",
      sum(counts), " answers\n", sep = "")
  labels <- labels_of(codebook, first$variable, "answer")
  print(cbind(answer = labels, round(shares, 4)), row.names = FALSE, right = FALSE)
}
cat("\nLargest difference from estimates.csv:", format(largest, digits = 3), "\n")
if (largest > 1e-4) quit(status = 1)
