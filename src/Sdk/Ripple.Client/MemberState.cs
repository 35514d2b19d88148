namespace Ripple.Client;

/// <summary>Whether a member of an application is there.</summary>
public enum MemberState
{
    /// <summary>It answers.</summary>
    Present = 0,

    /// <summary>It does not answer at the moment.</summary>
    Silent = 1,

    /// <summary>It said goodbye.</summary>
    Left = 2,

    /// <summary>It was removed because it did not answer.</summary>
    Failed = 3,
}
