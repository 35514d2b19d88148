using System.Text;
using Spectre.Console;

namespace Ripple.Cli.Output;

/// <summary>Where a run reads and writes. One run at a time.</summary>
internal sealed class CliConsole
{
    /// <summary>Standard input, bytes.</summary>
    public required Func<Stream> OpenInput { get; init; }

    /// <summary>True when standard input is not a terminal.</summary>
    public bool IsInputRedirected { get; init; }

    /// <summary>Standard output, for values byte for byte; flush <see cref="Out"/> before.</summary>
    public required Stream Output { get; init; }

    /// <summary>Standard output, for text.</summary>
    public required TextWriter Out { get; init; }

    /// <summary>Standard error.</summary>
    public required TextWriter Error { get; init; }

    /// <summary>Reads an environment variable.</summary>
    public required Func<string, string?> Environment { get; init; }

    /// <summary>A terminal on which things can move and have colours; null when standard output is none.</summary>
    public IAnsiConsole? Ansi { get; init; }

    /// <summary>That of this process.</summary>
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
