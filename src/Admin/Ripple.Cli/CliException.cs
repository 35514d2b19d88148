namespace Ripple.Cli;

/// <summary>A command cannot be done as it was written; the message is what is shown.</summary>
/// <param name="message">What is wrong and what to do.</param>
internal sealed class CliException(string message) : Exception(message);
