namespace Ripple.Gms.Regions;

/// <summary>The source of region keys: the system's random generator, or the simulator's seed.</summary>
internal interface IKeySource
{
    /// <summary>Returns a new 16-byte key. Core thread.</summary>
    byte[] NewRegionKey();
}
