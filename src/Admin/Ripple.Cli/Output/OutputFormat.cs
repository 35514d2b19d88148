namespace Ripple.Cli.Output;

/// <summary>The output format of a command.</summary>
internal enum OutputFormat
{
    /// <summary>Text for display.</summary>
    Text,

    /// <summary>One JSON document.</summary>
    Json,
}
