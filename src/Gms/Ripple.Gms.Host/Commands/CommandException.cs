namespace Ripple.Gms.Host.Commands;

/// <summary>A command cannot be done; the message is the one line that is shown.</summary>
/// <param name="message">What is wrong and what to do.</param>
/// <param name="isUsage">True when the command line itself is wrong.</param>
internal sealed class CommandException(string message, bool isUsage = false) : Exception(message)
{
    /// <summary>True when the command line itself is wrong.</summary>
    public bool IsUsage { get; } = isUsage;
}
