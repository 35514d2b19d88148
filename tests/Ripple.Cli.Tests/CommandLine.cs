using System.Text;
using Ripple.Cli.Output;
using Spectre.Console;

namespace Ripple.Cli.Tests;

/// <summary>Runs command lines in this process, with an environment of their own.</summary>
internal sealed class CommandLine
{
    private readonly Dictionary<string, string> _environment = new(StringComparer.Ordinal);

    public CommandLine(string home) => _environment["HOME"] = _environment["APPDATA"] = home;

    /// <summary>Standard input of the next runs.</summary>
    public byte[] Input { get; set; } = [];

    /// <summary>True: standard output is a terminal.</summary>
    public bool IsTerminal { get; set; }

    public string? this[string variable]
    {
        set
        {
            if (value is null)
            {
                _environment.Remove(variable);
            }
            else
            {
                _environment[variable] = value;
            }
        }
    }

    public Task<CliRun> RunAsync(params string[] args) => RunAsync(TestContext.Current.CancellationToken, args);

    public async Task<CliRun> RunAsync(CancellationToken cancellationToken, params string[] args)
    {
        using var output = new MemoryStream();
        var encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
        await using var writer = new StreamWriter(output, encoding, leaveOpen: true) { AutoFlush = true, NewLine = "\n" };
        await using var error = new StringWriter { NewLine = "\n" };
        var console = new CliConsole
        {
            OpenInput = () => new MemoryStream(Input),
            IsInputRedirected = Input.Length > 0,
            Output = output,
            Out = writer,
            Error = error,
            Environment = name => _environment.GetValueOrDefault(name),
            IsTerminal = IsTerminal,
            Ansi = IsTerminal ? Terminal(writer) : null,
        };
        int code = await CliProgram.RunAsync(args, console, cancellationToken);
        await writer.FlushAsync(CancellationToken.None);
        return new CliRun(code, output.ToArray(), error.ToString());
    }

    private static IAnsiConsole Terminal(TextWriter writer)
    {
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.Yes,
            Interactive = InteractionSupport.Yes,
            ColorSystem = ColorSystemSupport.NoColors,
            Out = new AnsiConsoleOutput(writer),
        });
        console.Profile.Width = 160;
        return console;
    }
}
