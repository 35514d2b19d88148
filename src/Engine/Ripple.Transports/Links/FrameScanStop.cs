namespace Ripple.Transports.Links;

/// <summary>Why a scan ended.</summary>
internal enum FrameScanStop
{
    /// <summary>The next frame is incomplete, or there is none.</summary>
    Incomplete,

    /// <summary>The next frame is whole, and one of the link itself.</summary>
    LinkFrame,

    /// <summary>The next frame has an invalid length.</summary>
    BadLength,
}
