namespace Ripple.Gms.Api;

/// <summary>Where a route wants a role.</summary>
internal enum RoleScope
{
    /// <summary>In the application named in the path.</summary>
    Application,

    /// <summary>In any application at all; the route itself shows and changes only what the caller may.</summary>
    Anywhere,

    /// <summary>Over all applications.</summary>
    Cluster,
}
