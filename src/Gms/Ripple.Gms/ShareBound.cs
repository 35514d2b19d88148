namespace Ripple.Gms;

/// <summary>Which bound of a <see cref="ShareLedger"/> is reached.</summary>
internal enum ShareBound
{
    /// <summary>None.</summary>
    None,

    /// <summary>What one token may hold.</summary>
    Token,

    /// <summary>What the tokens of one application may hold together.</summary>
    Application,

    /// <summary>What all may hold.</summary>
    All,
}
