// PowerShell itself, as a program: what the tests of the module start.
return Microsoft.PowerShell.ConsoleShell.Start(string.Empty, string.Empty, args);
