namespace Ripple.Client;

/// <summary>Whether a member of an application is present.</summary>
public enum MemberState
{
    /// <summary>The member answers.</summary>
    Present = 0,

    /// <summary>The member is not answering at the moment.</summary>
    Silent = 1,

    /// <summary>The member left cleanly.</summary>
    Left = 2,

    /// <summary>The member was removed because it did not answer.</summary>
    Failed = 3,
}
