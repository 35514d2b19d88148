namespace Ripple.Gms.Host.Commands;

/// <summary>A command that cannot be carried out. The message is the single line shown to the user.</summary>
/// <param name="message">The problem and the remedy.</param>
/// <param name="isUsage">True if the command line itself is wrong.</param>
internal sealed class CommandException(string message, bool isUsage = false) : Exception(message)
{
    /// <summary>True if the command line itself is wrong.</summary>
    public bool IsUsage { get; } = isUsage;
}
