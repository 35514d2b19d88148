namespace Ripple.Engine.Frontier.Predicates;

/// <summary>
/// The selection made by an operand. Up to <see cref="WanNodeAt"/> the elements are WAN nodes (the hosts of a zone), after it nodes.
/// </summary>
internal enum OperandKind
{
    /// <summary>$ALLWNODES: every zone that has hosts.</summary>
    AllWanNodes,

    /// <summary>$MYAZWNODES: the zones of the evaluating host's area that have hosts.</summary>
    MyAreaWanNodes,

    /// <summary>$MYWNODE: the evaluating host's zone.</summary>
    MyWanNode,

    /// <summary>$WNODE_x: zone x.</summary>
    WanNode,

    /// <summary>$AZ_x: the zones of area x that have hosts.</summary>
    AreaWanNodes,

    /// <summary>$1, $2 ...: the zones that have hosts, in ordinal order of their names.</summary>
    WanNodeAt,

    /// <summary>$ALL: the application's nodes.</summary>
    All,

    /// <summary>$ZONE_x: the nodes in zone x.</summary>
    Zone,

    /// <summary>$AREA_x: the nodes in area x.</summary>
    Area,

    /// <summary>$HOME_x: the nodes whose home host is x.</summary>
    Home,

    /// <summary>$LABEL("key","value"): the nodes with that label.</summary>
    Label,

    /// <summary>$NODE_x: nodes and hosts of that name.</summary>
    Node,

    /// <summary>$HOSTS: every host.</summary>
    Hosts,

    /// <summary>$REPLICAS: the application's primary and backups.</summary>
    Replicas,
}
