using Ripple.Admin;

namespace Ripple.Cli;

/// <summary>
/// What was to be waited for is released, and the host refused the wait: the exit code must not say that nothing was released.
/// </summary>
/// <param name="refusal">Why.</param>
internal sealed class WaitFailedException(RippleAdminException refusal) : Exception(refusal.Message, refusal)
{
    public RippleAdminException Refusal { get; } = refusal;
}
