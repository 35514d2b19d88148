using System.Text;
using Spectre.Console;

namespace Ripple.Cli.Output;

/// <summary>The input and output of a run. One run at a time.</summary>
internal sealed class CliConsole
{
    /// <summary>Opens standard input, for bytes.</summary>
    public required Func<Stream> OpenInput { get; init; }

    /// <summary>Whether standard input is not a terminal.</summary>
    public bool IsInputRedirected { get; init; }

    /// <summary>Standard output, for values byte for byte; flush <see cref="Out"/> first.</summary>
    public required Stream Output { get; init; }

    /// <summary>Standard output, for text.</summary>
    public required TextWriter Out { get; init; }

    /// <summary>Standard error.</summary>
    public required TextWriter Error { get; init; }

    /// <summary>Reads an environment variable.</summary>
    public required Func<string, string?> Environment { get; init; }

    /// <summary>Whether standard output is a terminal, of whatever abilities.</summary>
    public bool IsTerminal { get; init; }

    /// <summary>The terminal, for in-place updates and colors; null if standard output is not an interactive terminal.</summary>
    public IAnsiConsole? Ansi { get; init; }

    /// <summary>The console of this process.</summary>
    public static CliConsole OfProcess()
    {
        Stream output = Console.OpenStandardOutput();
        return new CliConsole
        {
            OpenInput = Console.OpenStandardInput,
            IsInputRedirected = Console.IsInputRedirected,
            Output = output,
            Out = new StreamWriter(output, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true },
            Error = Console.Error,
            Environment = System.Environment.GetEnvironmentVariable,
            IsTerminal = !Console.IsOutputRedirected,
            Ansi = Console.IsOutputRedirected ? null : Terminal(),
        };
    }

    private static IAnsiConsole? Terminal()
    {
        bool hasColours = string.IsNullOrEmpty(System.Environment.GetEnvironmentVariable("NO_COLOR"));
        IAnsiConsole console = AnsiConsole.Create(
            new AnsiConsoleSettings { ColorSystem = hasColours ? ColorSystemSupport.Detect : ColorSystemSupport.NoColors });
        return console.Profile.Capabilities is { Interactive: true, Ansi: true } ? console : null;
    }
}
