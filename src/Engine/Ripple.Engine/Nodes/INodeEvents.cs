using Ripple.Engine.Protocol.Events;

namespace Ripple.Engine.Nodes;

/// <summary>What a node's host says of events. Core thread.</summary>
internal interface INodeEvents
{
    /// <summary>An event came.</summary>
    void OnDelivery(EventDelivery delivery);

    /// <summary>An event that was emitted came so far, or was refused.</summary>
    void OnEmitted(EmitResult result);

    /// <summary>A subscription is over, and why.</summary>
    void OnEnded(SubscriptionEnded ended);
}
