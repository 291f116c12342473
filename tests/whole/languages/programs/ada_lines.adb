-- SPDX-License-Identifier: Apache-2.0
--  For each line a number: exceptions, containers, a task.
with Ada.Command_Line;
with Ada.Containers.Indefinite_Ordered_Maps;
with Ada.Text_IO; use Ada.Text_IO;

procedure Ada_Lines is
   Odd : exception;

   package Word_Maps is new Ada.Containers.Indefinite_Ordered_Maps (String, Integer);

   function Fib (N : Integer) return Integer is
     (if N < 2 then N else Fib (N - 1) + Fib (N - 2));

   function Deep (N : Integer) return Integer is
   begin
      if N = 0 then
         raise Odd;
      end if;
      return Deep (N - 1) + 1;
   end Deep;

   task type Worker is
      entry Get (Value : out Integer);
   end Worker;

   task body Worker is
      Mine : constant Integer := Fib (10);
   begin
      accept Get (Value : out Integer) do
         Value := Mine;
      end Get;
   end Worker;

   procedure Work (N : Integer) is
      Words     : Word_Maps.Map;
      In_Task   : Integer;
      Caught    : Integer := 0;
      Colleague : Worker;
   begin
      for I in 0 .. 2000 loop
         Words.Include (Integer'Image (I * N mod 777), I);
      end loop;
      begin
         Caught := Deep (N);
      exception
         when Odd => Caught := 7;
      end;
      Colleague.Get (In_Task);
      Put_Line (Integer'Image (N) & ":" & Integer'Image (Fib (15)) & Words.Length'Image
                & Integer'Image (Caught) & Integer'Image (In_Task));
      Flush;
   end Work;
begin
   while not End_Of_File loop
      Work (Integer'Value (Get_Line));
   end loop;
   Put_Line ("end");
   Ada.Command_Line.Set_Exit_Status (3);
end Ada_Lines;
