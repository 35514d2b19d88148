namespace Ripple.Client;

/// <summary>What a client does when no host can be reached at its start.</summary>
public enum StartupMode
{
    /// <summary>Start from the verified snapshot on disk, if there is one, and go on trying to connect.</summary>
    AllowSnapshot,

    /// <summary>Fail: a snapshot is not enough.</summary>
    RequireHost,
}
