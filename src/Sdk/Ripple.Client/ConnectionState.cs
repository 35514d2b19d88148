namespace Ripple.Client;

/// <summary>
/// The state of a client's connection to its hosts. In every state but <see cref="Connected"/> the client keeps trying to connect.
/// </summary>
public enum ConnectionState
{
    /// <summary>The client has not been connected yet.</summary>
    Connecting,

    /// <summary>A host admitted the client to its region.</summary>
    Connected,

    /// <summary>The connection was lost, or no host can be reached.</summary>
    Disconnected,

    /// <summary>
    /// A host answered but did not admit the client; an administrator must act. See <see cref="IRippleClient.LastError"/>.
    /// </summary>
    Refused,
}
