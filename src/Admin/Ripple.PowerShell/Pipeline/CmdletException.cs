namespace Ripple.PowerShell.Pipeline;

/// <summary>A failure of a cmdlet's own. The message says what was wrong, where, and what to do.</summary>
/// <param name="code">Its stable code, without the <c>Ripple.</c> before it.</param>
/// <param name="message">For people.</param>
/// <param name="innerException">What is behind it; null when nothing.</param>
internal sealed class CmdletException(string code, string message, Exception? innerException = null) : Exception(message, innerException)
{
    public string Code { get; } = code;
}
