namespace Ripple.Cli;

/// <summary>The command cannot be run as written; the message is shown to the user.</summary>
/// <param name="message">What is wrong and what to do.</param>
internal sealed class CliException(string message) : Exception(message);
