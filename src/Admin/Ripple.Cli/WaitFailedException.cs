using Ripple.Admin;

namespace Ripple.Cli;

/// <summary>The release was published, but the host refused the wait: the exit code must not say that nothing was released.</summary>
/// <param name="refusal">The host's refusal.</param>
internal sealed class WaitFailedException(RippleAdminException refusal) : Exception(refusal.Message, refusal)
{
    public RippleAdminException Refusal { get; } = refusal;
}
