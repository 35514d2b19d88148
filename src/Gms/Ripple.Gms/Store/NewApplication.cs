namespace Ripple.Gms.Store;

/// <summary>An application to be created.</summary>
/// <param name="Topic">Its number, from 1, not in use.</param>
/// <param name="Name">Its name, not in use.</param>
/// <param name="Generation">Its generation, from 1.</param>
internal sealed record NewApplication(uint Topic, string Name, uint Generation);
