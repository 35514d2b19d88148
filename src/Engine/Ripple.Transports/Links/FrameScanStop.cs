namespace Ripple.Transports.Links;

/// <summary>Why a scan ended.</summary>
internal enum FrameScanStop
{
    /// <summary>The bytes end there.</summary>
    Incomplete,

    /// <summary>A whole frame of the link itself.</summary>
    LinkFrame,

    /// <summary>A length no frame has.</summary>
    BadLength,
}
