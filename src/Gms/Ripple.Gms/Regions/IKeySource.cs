namespace Ripple.Gms.Regions;

/// <summary>Where region keys come from: the system's random generator, or the simulator's seed.</summary>
internal interface IKeySource
{
    /// <summary>A fresh 16-byte key. Core thread.</summary>
    byte[] NewRegionKey();
}
