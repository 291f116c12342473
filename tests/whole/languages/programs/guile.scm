;; SPDX-License-Identifier: Apache-2.0
;; For each line a number: garbage, exceptions, a collection, a continuation.
(use-modules (ice-9 rdelim))
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (deep n) (if (= n 0) (throw 'odd) (+ 1 (deep (- n 1)))))

(define (work n)
  (let ((words (make-hash-table))
        (caught (catch 'odd (lambda () (deep n)) (lambda (key) key)))
        (left (call/cc (lambda (k) (for-each (lambda (i) (if (= i 3) (k i))) '(1 2 3 4)) 0))))
    (do ((i 0 (+ i 1))) ((= i 2000))
      (hash-set! words (number->string (modulo (* i n) 777)) (list i i i)))
    (gc)
    (format #t "~a: ~a ~a ~a ~a~%" n (fib 15) (hash-count (const #t) words) caught left)
    (force-output)))

(let loop ((line (read-line)))
  (if (not (eof-object? line))
      (begin (work (string->number line)) (loop (read-line)))))
(display "end\n")
(exit 3)
