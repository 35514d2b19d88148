using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Core;

/// <summary>Joins multicast groups. Core thread.</summary>
internal interface IDatagramGroups
{
    /// <summary>Opens a receive-only port for the datagrams of a group. The caller owns it.</summary>
    /// <param name="group">The group's address and port.</param>
    /// <param name="port">The port; null when the group cannot be joined.</param>
    /// <param name="reason">Why the group cannot be joined, as display text; empty when it was joined.</param>
    bool TryJoin(in NodeAddress group, [NotNullWhen(true)] out IDatagramPort? port, out string reason);
}
