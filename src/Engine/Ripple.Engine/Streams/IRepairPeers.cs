using Ripple.Engine.Core;

namespace Ripple.Engine.Streams;

/// <summary>Knows whom of the members to ask for repair, instead of the sender. Core thread.</summary>
internal interface IRepairPeers
{
    /// <summary>Chooses who is asked for packets of a block of 64 sequences; false where the sender is to be.</summary>
    /// <param name="block">The block's number: a sequence divided by 64.</param>
    /// <param name="controlAddress">Where the request goes.</param>
    bool TryChoose(ulong block, out NodeAddress controlAddress);
}
