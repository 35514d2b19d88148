namespace Ripple.Guide.Tests.Terminals;

/// <summary>PowerShell with somebody who answers; an error ends the block.</summary>
internal sealed class PowerShellTerminal(ReaderHome home)
    : Terminal(home, ReaderHome.PowerShell, ["-NoProfile", "-File", Shell(home)])
{
    protected override string Extension => ".ps1";

    protected override string Script(string text) => text;

    protected override string Call(string path, string input, string answers) => $"{path}\n{answers}";

    private static string Shell(ReaderHome home)
    {
        string path = Path.Combine(home.Scratch, "shell.ps1");
        File.WriteAllText(
            path,
            $$"""
            $ErrorActionPreference = 'Stop'
            while ($null -ne ($__file = [Console]::In.ReadLine())) {
                try { . $__file | Out-Default }
                catch { "failed: $($_.FullyQualifiedErrorId): $_"; exit 1 }
                [Console]::Out.WriteLine('{{Ended}}')
            }
            """);
        return path;
    }
}
