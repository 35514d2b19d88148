namespace Ripple.Gms.Api;

/// <summary>Where a route requires its role.</summary>
internal enum RoleScope
{
    /// <summary>In the application named in the path.</summary>
    Application,

    /// <summary>In at least one application; the route itself shows and changes only what the caller may access.</summary>
    Anywhere,

    /// <summary>Over all applications.</summary>
    Cluster,
}
