namespace Ripple.Gms.Store;

/// <summary>
/// The end of what is kept of an application's history: releases before one are not read any more, and go, with the values that only they
/// had. Takes about what committing them took, so the one who asks for it goes in steps.
/// </summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="KeptFrom">The oldest release that is kept: one that is there, and not before the oldest that is kept now.</param>
internal readonly record struct HistoryPruning(uint Topic, ulong KeptFrom);
