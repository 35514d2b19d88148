namespace Ripple.Transports.Links;

/// <summary>The frame types of the link itself (1 to 15). The protocol never sees them.</summary>
internal static class LinkFrameType
{
    /// <summary>From a side without a certificate: an <see cref="EnrollRequest"/>.</summary>
    public const ushort Enroll = 1;

    /// <summary>The answer on success: an <see cref="EnrollGrant"/>.</summary>
    public const ushort Enrolled = 2;

    /// <summary>The answer on refusal: a <see cref="LinkRefusal"/>.</summary>
    public const ushort EnrollRefused = 3;

    /// <summary>
    /// The host's first frame to a side with a certificate: it is admitted. The body is a new certificate for the same key; empty when the
    /// current one has more than a third of its lifetime left.
    /// </summary>
    public const ushort Admitted = 4;

    /// <summary>The last frame of either side: a <see cref="LinkRefusal"/>.</summary>
    public const ushort Goodbye = 5;
}
