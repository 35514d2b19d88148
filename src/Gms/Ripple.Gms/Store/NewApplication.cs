namespace Ripple.Gms.Store;

/// <summary>An application to create.</summary>
/// <param name="Topic">Its topic number: from 1, unused.</param>
/// <param name="Name">Its name, unused.</param>
/// <param name="Generation">Its first generation, from 1.</param>
internal sealed record NewApplication(uint Topic, string Name, uint Generation);
