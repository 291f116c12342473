# SPDX-License-Identifier: Apache-2.0
# For each line a number: garbage, conditions, a collection.
fib <- function(n) if (n < 2) n else fib(n - 1) + fib(n - 2)
deep <- function(n) if (n == 0) stop("odd") else 1 + deep(n - 1)
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  n <- as.integer(line)
  words <- unique(as.character((0:2000) * n %% 777))
  caught <- tryCatch(deep(n), error = function(e) conditionMessage(e))
  m <- solve(matrix(c(2, 1, 1, 3), 2)) %*% c(n, 1)
  invisible(gc())
  cat(n, ": ", fib(12), " ", length(words), " ", caught, " ", format(sum(m)), "\n", sep = "")
}
cat("end\n")
quit(status = 3)
