namespace Ripple.Gms.Regions;

/// <summary>The source of keys: the system's random generator, or the simulator's seed.</summary>
internal interface IKeySource
{
    /// <summary>Returns a new 16-byte key. Core thread.</summary>
    byte[] NewRegionKey();

    /// <summary>Returns a new 32-byte key for one member. Core thread.</summary>
    byte[] NewMemberKey();
}
