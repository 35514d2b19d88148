using Ripple.Engine.Core;

namespace Ripple.Attacks.Nodes;

/// <summary>A member of the region as the host tells it.</summary>
internal readonly record struct Member(uint Slot, NodeAddress Data, NodeAddress Control);
