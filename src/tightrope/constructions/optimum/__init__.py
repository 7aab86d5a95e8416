"""The optimal mechanism: cone programs, (ε, δ) programs, closed-form bounds on paths."""
