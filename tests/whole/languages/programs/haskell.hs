-- SPDX-License-Identifier: Apache-2.0
-- For each line a number: garbage, exceptions, a collection, a thread.
import Control.Concurrent
import Control.Exception
import qualified Data.Map as Map
import System.Exit
import System.IO
import System.Mem

fib :: Int -> Int
fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

deep :: Int -> Int
deep 0 = throw DivideByZero
deep n = 1 + deep (n - 1)

work :: Int -> IO ()
work n = do
  let wordsOf = Map.fromList [(show (i * n `mod` 777), [i .. i + 5]) | i <- [0 .. 2000]]
  caught <- (evaluate (deep n) >> return "no") `catch` \e -> return (show (e :: ArithException))
  box <- newEmptyMVar
  _ <- forkIO (putMVar box $! fib 10)
  inThread <- takeMVar box
  performMajorGC
  putStrLn (show n ++ ": " ++ unwords [show (fib 15), show (Map.size wordsOf), caught, show inThread])

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  input <- getContents
  mapM_ (work . read) (lines input)
  putStrLn "end"
  exitWith (ExitFailure 3)
