namespace Ripple.Client;

/// <summary>Where a client stands with its hosts. It tries to connect by itself in every state but <see cref="Connected"/>.</summary>
public enum ConnectionState
{
    /// <summary>It never was connected yet.</summary>
    Connecting,

    /// <summary>A host let it into its region.</summary>
    Connected,

    /// <summary>The connection is lost, or no host can be reached.</summary>
    Disconnected,

    /// <summary>A host answered and did not let it in; an administrator must act. See <see cref="IRippleClient.LastError"/>.</summary>
    Refused,
}
