using Ripple.Engine.Links;

namespace Ripple.Gms.Sessions;

/// <summary>Bulk data that a control connection pulls when nothing urgent waits and it has room.</summary>
internal interface IBulkFeed
{
    /// <summary>Sends as much as fits; true when nothing more is left to send now.</summary>
    bool Pump(ILink link);
}
