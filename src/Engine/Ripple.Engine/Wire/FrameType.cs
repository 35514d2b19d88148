namespace Ripple.Engine.Wire;

/// <summary>The type of a frame inside a sealed packet. Numbers are never reused.</summary>
internal enum FrameType : byte
{
    /// <summary>No frame: nothing follows in this packet.</summary>
    Padding = 0,

    /// <summary>The stream position of a data or repair packet; its first frame.</summary>
    Position = 1,

    /// <summary>A message, or a part of one.</summary>
    Message = 2,

    /// <summary>A sender's newest and oldest available sequence.</summary>
    Beacon = 3,

    /// <summary>Sequences that a receiver misses.</summary>
    Nak = 4,

    /// <summary>A ring's token.</summary>
    Token = 5,

    /// <summary>The acknowledgement of one hop of a token.</summary>
    TokenAck = 6,

    /// <summary>A finished round, from the ring's leader to the sender.</summary>
    Aggregate = 7,

    /// <summary>The sender's acknowledgement of an aggregate; carries the stable floor.</summary>
    AggregateAck = 8,

    /// <summary>From the host to a multicast group: a member that receives it hears the group. Its payload is filler.</summary>
    GroupProbe = 9,

    /// <summary>From the host to the data address of one member: a nonce, and filler where the packet is to be full.</summary>
    PathProbe = 10,

    /// <summary>From a leader that gathers to the sender: another leader's slot, and what that leader told in an aggregate.</summary>
    Gathered = 11,
}
