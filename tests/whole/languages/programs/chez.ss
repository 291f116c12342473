;; SPDX-License-Identifier: Apache-2.0
;; For each line a number: garbage, exceptions, a collection, a continuation.
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (deep n) (if (= n 0) (raise 'odd) (+ 1 (deep (- n 1)))))

(define (work n)
  (let ((words (make-hashtable string-hash string=?))
        (caught (guard (e (#t e)) (deep n)))
        (left (call/cc (lambda (k) (for-each (lambda (i) (if (= i 3) (k i))) '(1 2 3 4)) 0))))
    (do ((i 0 (+ i 1))) ((= i 2000))
      (hashtable-set! words (number->string (modulo (* i n) 777)) (list i i i)))
    (collect (collect-maximum-generation))
    (printf "~a: ~a ~a ~a ~a~%" n (fib 15) (hashtable-size words) caught left)
    (flush-output-port (current-output-port))))

(let loop ((line (get-line (current-input-port))))
  (unless (eof-object? line)
    (work (string->number line))
    (loop (get-line (current-input-port)))))
(printf "end~%")
(exit 3)
