{ SPDX-License-Identifier: Apache-2.0 }
{ For each line a number: exceptions, strings, lists. }
{$mode objfpc}{$H+}
program PascalLines;
uses
  SysUtils, Classes;

type
  EOdd = class(Exception);

function Fib(N: Integer): Integer;
begin
  if N < 2 then Result := N else Result := Fib(N - 1) + Fib(N - 2);
end;

function Deep(N: Integer): Integer;
begin
  if N = 0 then raise EOdd.Create('odd');
  Result := Deep(N - 1) + 1;
end;

procedure Work(N: Integer);
var
  Words: TStringList;
  I: Integer;
  Caught: string;
begin
  Words := TStringList.Create;
  Words.Sorted := True;
  Words.Duplicates := dupIgnore;
  for I := 0 to 2000 do Words.Add(IntToStr(I * N mod 777));
  Caught := '';
  try
    Deep(N);
  except
    on E: EOdd do Caught := E.Message;
  end;
  WriteLn(N, ': ', Fib(15), ' ', Words.Count, ' ', Caught);
  Flush(Output);
  Words.Free;
end;

var
  Line: string;
begin
  while not Eof do begin
    ReadLn(Line);
    Work(StrToInt(Trim(Line)));
  end;
  WriteLn('end');
  Halt(3);
end.
