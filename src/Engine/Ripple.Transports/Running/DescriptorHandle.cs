using Microsoft.Win32.SafeHandles;

namespace Ripple.Transports.Running;

/// <summary>
/// A Linux file descriptor. A safe handle, because a late wake-up must not write to an unrelated descriptor that got the same number.
/// </summary>
internal sealed class DescriptorHandle : SafeHandleMinusOneIsInvalid
{
    /// <summary>For the marshaller.</summary>
    public DescriptorHandle()
        : base(ownsHandle: true)
    {
    }

    protected override bool ReleaseHandle() => EpollCalls.Close((int)handle) == 0;
}
