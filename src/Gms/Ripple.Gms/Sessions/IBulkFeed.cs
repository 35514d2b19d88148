using Ripple.Engine.Links;

namespace Ripple.Gms.Sessions;

/// <summary>Bulk that is pulled onto a control connection when nothing more urgent waits and the connection has room.</summary>
internal interface IBulkFeed
{
    /// <summary>Sends what it can; true when it has nothing more to send now.</summary>
    bool Pump(ILink link);
}
