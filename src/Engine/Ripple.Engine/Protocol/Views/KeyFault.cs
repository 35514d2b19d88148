namespace Ripple.Engine.Protocol.Views;

/// <summary>Why a node asks for another key of its region. Stored on the wire: numbers are never reused.</summary>
internal enum KeyFault : byte
{
    /// <summary>It refuses the packets of a member: somebody counted ahead in that member's name.</summary>
    Deaf = 0,

    /// <summary>It has sealed half of the packets that it may seal with the key.</summary>
    Worn = 1,
}
