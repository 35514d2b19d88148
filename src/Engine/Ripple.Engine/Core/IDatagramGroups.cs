using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Core;

/// <summary>Joins multicast groups. Core thread.</summary>
internal interface IDatagramGroups
{
    /// <summary>Opens a port that takes what is sent to a group, and sends nothing. The caller owns it.</summary>
    /// <param name="group">The group's address and port.</param>
    /// <param name="port">The port; null when the group cannot be joined.</param>
    /// <param name="reason">Why not, for people; empty when it was joined.</param>
    bool TryJoin(in NodeAddress group, [NotNullWhen(true)] out IDatagramPort? port, out string reason);
}
