namespace Ripple.Gms;

/// <summary>
/// Rules that the simulator can make a host break, one at a time, to show that a checker detects it. None in a real host.
/// </summary>
[Flags]
internal enum PlantedHostBugs
{
    /// <summary>Every rule is kept.</summary>
    None = 0,

    /// <summary>A release is delivered and acknowledged before the store has it.</summary>
    DeliverBeforePersisted = 1 << 0,

    /// <summary>Publish ids are forgotten: a repeated publish is released twice.</summary>
    ForgetPublishIds = 1 << 1,

    /// <summary>A wait holds as soon as one member has the release.</summary>
    WaitHoldsEarly = 1 << 4,

    /// <summary>Frontier rows follow every report, even an older one.</summary>
    RowsGoBack = 1 << 5,

    /// <summary>A proof of a later state does not begin a new generation.</summary>
    IgnoreRestore = 1 << 6,

    /// <summary>View numbers restart at each start of the host.</summary>
    ViewNumbersStartOver = 1 << 7,

    /// <summary>The expected release of a publish is ignored.</summary>
    IgnoreExpectedRelease = 1 << 8,

    /// <summary>A region's recent messages are never dropped.</summary>
    UnboundedRecent = 1 << 9,
}
