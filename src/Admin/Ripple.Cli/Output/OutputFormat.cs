namespace Ripple.Cli.Output;

/// <summary>How a command tells what it found.</summary>
internal enum OutputFormat
{
    /// <summary>For people.</summary>
    Text,

    /// <summary>One JSON document.</summary>
    Json,
}
