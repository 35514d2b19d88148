namespace Ripple.Engine.Core;

/// <summary>Rules that the simulator can make a node break, one at a time, to show that a checker detects it. None in production.</summary>
[Flags]
internal enum PlantedNodeBugs
{
    /// <summary>Every rule is kept.</summary>
    None = 0,

    /// <summary>Signatures are not checked.</summary>
    SkipSignature = 1 << 0,

    /// <summary>Values are not compared with their digests.</summary>
    SkipBodyDigest = 1 << 1,

    /// <summary>A rejected release is put into effect anyway.</summary>
    ApplyRejected = 1 << 2,

    /// <summary>A release counts as applied when it is received.</summary>
    ReportAppliedEarly = 1 << 3,

    /// <summary>A release counts as persisted when saving it begins.</summary>
    ReportPersistedEarly = 1 << 4,

    /// <summary>Catch-up is never requested.</summary>
    NeverCatchUp = 1 << 5,
}
