namespace Ripple.PowerShell.Pipeline;

/// <summary>A failure detected by a cmdlet itself. The message says what was wrong and where, and what to do.</summary>
/// <param name="code">The stable code, without the prefix <c>Ripple.</c></param>
/// <param name="message">The message, for display.</param>
/// <param name="innerException">The cause; null if there is none.</param>
internal sealed class CmdletException(string code, string message, Exception? innerException = null) : Exception(message, innerException)
{
    public string Code { get; } = code;
}
